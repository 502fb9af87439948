import { Injectable } from '@nestjs/common';
import { Clock } from './clock.js';

/** The clock of this machine. */
@Injectable()
export class SystemClock extends Clock {
  override now(): number {
    return Date.now();
  }
}
