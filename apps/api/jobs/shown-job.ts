import { Injectable } from '@nestjs/common';
import type { jobView } from '#domain/job/view.js';
import { SealedValues } from '../privacy/sealed-values.js';

type JobView = ReturnType<typeof jobView>;

/** Shows a job with its sealed values opened, redacted or erased (SPEC P3, P5). */
@Injectable()
export class ShownJob {
  constructor(private readonly values: SealedValues) {}

  /** @param mayOpen true if the caller may see personal data of this job */
  async of(view: JobView, mayOpen: boolean) {
    const [wm, items] = await Promise.all([
      this.values.entries(view.wm, mayOpen),
      this.values.entries(view.cwm.items, mayOpen),
    ]);
    return { ...view, wm, cwm: { ...view.cwm, items } };
  }
}
