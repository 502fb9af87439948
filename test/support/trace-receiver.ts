/* oxlint-disable typescript/no-explicit-any -- what protobuf decodes has the shape of its messages */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeProto, encodeProto } from './otlp-proto.js';

/** A span as it was received. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the root of a trace. */
  parentId: string;
  name: string;
  /** 1 internal, 2 server, 3 client. */
  kind: number;
  attributes: Record<string, unknown>;
  /** Ids of the spans that it is linked to. */
  links: string[];
  failed: boolean;
  resource: Record<string, unknown>;
}

/** A collector that takes traces by OTLP over HTTP, in protobuf. */
export class TraceReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** Headers of the requests so far. */
  readonly headers: IncomingHttpHeaders[] = [];
  /** Everything that came, to be searched for what should not have. */
  everything = '';
  /** How requests are met: `hang` never answers. */
  manner: 'take' | 'hang' | 'refuse' = 'take';

  private constructor(private readonly server: Server) {
    server.on('request', async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const body = Buffer.concat(parts);
      this.headers.push(request.headers);
      this.everything += body.toString('latin1');
      if (this.manner === 'hang') return;
      if (this.manner === 'refuse') return void response.writeHead(400).end('the collector repeats what it was sent: hunter2');
      if (request.method !== 'POST' || request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/x-protobuf')
        return void response.writeHead(404).end();
      this.spans.push(...spansOf(body));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end(encodeProto('ExportTraceServiceResponse', {}));
    });
  }

  /** Starts one on a free port of 127.0.0.1. */
  static async start(): Promise<TraceReceiver> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TraceReceiver(server);
  }

  /** What `OTEL_EXPORTER_OTLP_ENDPOINT` has to be. */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The spans of a trace, in the order in which they ended. */
  of(traceId: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

function spansOf(body: Uint8Array): ReceivedSpan[] {
  const { resourceSpans } = decodeProto('ExportTraceServiceRequest', body) as any;
  return resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    scopeSpans.flatMap(({ spans }: any) =>
      spans.map(({ traceId, spanId, parentSpanId, name, kind, attributes, links, status }: any) => ({
        traceId: hex(traceId),
        spanId: hex(spanId),
        parentId: hex(parentSpanId),
        name,
        kind,
        attributes: attributesOf(attributes),
        links: (links ?? []).map((link: any) => hex(link.spanId)),
        failed: status?.code === 2,
        resource: attributesOf(resource.attributes),
      })),
    ),
  );
}

function hex(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('hex');
}

function attributesOf(list: { key: string; value: Record<string, unknown> }[] = []): Record<string, unknown> {
  return Object.fromEntries(
    list.map(({ key, value }) => {
      const [[kind, plain] = []] = Object.entries(value);
      return [key, kind === 'intValue' ? Number(plain) : plain];
    }),
  );
}
