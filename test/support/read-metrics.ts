/** A metric as a service serves it. */
export interface ServedMetric {
  type: string;
  /** Labels of its samples and the values that they have, without `le`. */
  labels: Map<string, Set<string>>;
  samples: { name: string; labels: Record<string, string>; value: number }[];
}

/** Reads Prometheus's text format. */
export function readMetrics(text: string): Map<string, ServedMetric> {
  const metrics = new Map<string, ServedMetric>();
  for (const line of text.split('\n')) {
    const declared = /^# TYPE (\S+) (\S+)$/.exec(line);
    if (declared) metrics.set(declared[1]!, { type: declared[2]!, labels: new Map(), samples: [] });
    const sample = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (!sample) continue;
    const [, name, list = '', value] = sample;
    const metric = metrics.get(name!) ?? metrics.get(name!.replace(/_(bucket|sum|count)$/, ''))!;
    const labels = Object.fromEntries([...list.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label, set]) => [label!, set!]));
    for (const [label, set] of Object.entries(labels)) {
      if (label !== 'le') metric.labels.set(label, (metric.labels.get(label) ?? new Set()).add(set));
    }
    metric.samples.push({ name: name!, labels, value: Number(value) });
  }
  return metrics;
}
