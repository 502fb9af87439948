import { readFile } from 'node:fs/promises';

/** A data source as the dashboard names it. */
interface Source {
  type: string;
  uid: string;
}

/** A panel, or the heading of a row. */
export interface DashboardPanel {
  id: number;
  type: string;
  title: string;
  datasource: Source;
  gridPos: { x: number; y: number; w: number; h: number };
  fieldConfig: { defaults: { unit: string } };
  targets: { refId: string; expr: string; legendFormat: string; datasource: Source }[];
}

/** The dashboard in deploy/grafana. */
export const dashboard = JSON.parse(await readFile('deploy/grafana/casebook.json', 'utf8')) as {
  panels: DashboardPanel[];
  templating: { list: { name: string; type: string; datasource?: Source }[] };
};

/** The queries of a panel as Grafana would send them, with all clusters chosen; `rateInterval` as Grafana would work it out. */
export function queriesOf(panel: DashboardPanel, rateInterval = '5m'): { expr: string; legendFormat: string }[] {
  return panel.targets.map(({ expr, legendFormat }) => ({
    expr: expr.replaceAll('$__rate_interval', rateInterval).replaceAll('$cluster', '.*'),
    legendFormat,
  }));
}
