/** The parts of an OpenAPI document that the page shows. */
export interface ShownContract {
  info: { title: string; description: string };
  paths: Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>;
  components: { schemas: Readonly<Record<string, unknown>> };
}

interface ShownOperation {
  summary: string;
  description?: string;
  parameters?: readonly { name: string; in: string; description: string }[];
  requestBody?: { description?: string; content: Readonly<Record<string, { schema: object }>> };
  responses: Readonly<Record<string, { description: string; content?: Readonly<Record<string, { schema: object }>> }>>;
  security?: readonly unknown[];
}

const STYLE = `
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h2{margin:2.5rem 0 .5rem;font-size:1.1rem;font-family:ui-monospace,monospace}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}
pre{overflow:auto;padding:.75rem;border:1px solid #8884;border-radius:6px}
table{border-collapse:collapse;width:100%;margin:.5rem 0}
td{border-top:1px solid #8884;padding:.3rem .8rem .3rem 0;vertical-align:top}
td:first-child{white-space:nowrap;font-family:ui-monospace,monospace;font-size:.9em}
.verb{display:inline-block;min-width:4.5em;font-weight:700}.open{font:.8rem system-ui;opacity:.7}`;

/** Renders a REST contract as one page that needs no script and no other host. */
export function renderDocs({ info, paths, components }: ShownContract): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => renderOperation(method, path, operation)),
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<details id="${escape(name)}"><summary><code>${escape(name)}</code></summary><pre>${escape(JSON.stringify(schema, null, 2))}</pre></details>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(info.title)} REST contract</title><style>${STYLE}</style></head>
<body><h1>${escape(info.title)}</h1><p>${escape(info.description)}</p>
<p>Machines read this at <a href="/openapi.json">/openapi.json</a>; incidents are asked for over <a href="/graphql">GraphQL</a>.</p>
${operations.join('\n')}
<h2>Schemas</h2>
${schemas.join('\n')}
</body></html>
`;
}

function renderOperation(method: string, path: string, operation: ShownOperation): string {
  const { summary, description, parameters = [], requestBody, responses, security } = operation;
  const rows = [
    ...parameters.map((parameter): [string, string] => [`${parameter.name} (${parameter.in})`, escape(parameter.description)]),
    ...(requestBody ? [['body', `${escape(requestBody.description ?? '')} ${schemaLinks(requestBody.content)}`] as [string, string]] : []),
    ...Object.entries(responses).map(([status, response]): [string, string] => [
      status,
      `${escape(response.description)} ${schemaLinks(response.content)}`,
    ]),
  ];
  const open = security?.length === 0 ? ' <span class="open">needs no token</span>' : '';
  return `<h2><span class="verb">${method.toUpperCase()}</span>${escape(path)}${open}</h2>
<p>${escape(summary)}. ${escape(description ?? '')}</p>
<table>${rows.map(([name, text]) => `<tr><td>${escape(name)}</td><td>${text}</td></tr>`).join('')}</table>`;
}

function schemaLinks(content: Readonly<Record<string, { schema: object }>> | undefined): string {
  const names = Object.values(content ?? {}).map(({ schema }) => ('$ref' in schema ? String(schema.$ref).split('/').at(-1)! : undefined));
  return names
    .filter((name) => name !== undefined)
    .map((name) => `<a href="#${escape(name)}">${escape(name)}</a>`)
    .join(' ');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
