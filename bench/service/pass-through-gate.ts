import { Module } from '@nestjs/common';
import { PrivacyGate } from '#apps/api/privacy/privacy-gate.js';
import type { Json } from '#domain/json.js';

/**
 * Makes the privacy gate let every value pass unscanned, so that the bench can measure what the gate costs. The
 * product has no such switch: only a program that is built with this module has a gate without scans.
 */
@Module({})
export class PassThroughGateModule {
  constructor(gate: PrivacyGate) {
    gate.inspect = () => Promise.resolve(undefined);
    gate.held = (_subject: string, value: Json) => Promise.resolve({ value });
  }
}
