import type { LoggerService } from '@nestjs/common';
import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import type { LogLevel } from '../config/config.js';
import { formatLogLine } from './format-log-line.js';
import { redactSecrets, SECRET_FIELDS } from './redact-secrets.js';
import { serializeError } from './serialize-error.js';
import { fieldsForLog } from './work-context.service.js';

export type { Logger } from 'pino';

/** Injection token of the `Logger`. */
export const LOGGER = Symbol('Logger');

/**
 * The service's logger: one JSON object a line, or plain lines when a person watches. Tokens and passwords never appear. What is written
 * while a request is being answered carries its id.
 *
 * @param destination where the lines go; default stdout
 */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  const plain = destination === undefined && process.stdout.isTTY;
  return pino(
    {
      level,
      base: undefined,
      mixin: fieldsForLog,
      serializers: { err: serializeError },
      timestamp: stdTimeFunctions.isoTime,
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '***' },
      hooks: { streamWrite: redactSecrets },
    },
    destination ?? (plain ? { write: (line) => process.stdout.write(formatLogLine(line)) } : pino.destination({ dest: 1, sync: true })),
  );
}

/** Lets Nest write its own messages through the service's logger; its start-up chatter goes to level debug. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.#write('debug', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.#write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.#write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.#write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.#write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.#write('fatal', message, rest);
  }

  /** Nest passes a stack (errors only) and the name of the writing class after the message. */
  #write(level: 'trace' | 'debug' | 'warn' | 'error' | 'fatal', message: unknown, rest: unknown[]): void {
    const context = typeof rest.at(-1) === 'string' ? rest.at(-1) : undefined;
    const stack = typeof rest[0] === 'string' && rest.length > 1 ? rest[0] : undefined;
    if (message instanceof Error) this.logger[level]({ context, err: message });
    else this.logger[level]({ context, stack }, typeof message === 'string' ? message : JSON.stringify(message));
  }
}
