import { Inject, Injectable } from '@nestjs/common';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { CONFIG } from '../../platform/tokens.js';

const HOUR_MS = 3_600_000;

/** The configured terms of a new request: when it expires, and how many votes decide it (SPEC G2). */
@Injectable()
export class RequestTerms {
  constructor(
    @Inject(CONFIG)
    private readonly config: Pick<ServiceConfig, 'councilQuorum' | 'requestExpiryHours'>,
  ) {}

  from(requested_at: string) {
    const expiresAt = Date.parse(requested_at) + this.config.requestExpiryHours * HOUR_MS;
    const expires_at = new Date(expiresAt).toISOString();
    return { requested_at, expires_at, quorum: this.config.councilQuorum };
  }
}
