import { Injectable } from '@nestjs/common';
import type { jobView } from '#domain/job/view.js';
import { type MayOpen, SealedValues } from '../privacy/sealed-values.js';

type JobView = ReturnType<typeof jobView>;

/** Shows a job with its sealed values opened, redacted or erased (SPEC P3, P5). */
@Injectable()
export class ShownJob {
  constructor(private readonly values: SealedValues) {}

  /** @param mayOpen returns true if the caller may see personal data of this job; called only if it has some */
  async of(view: JobView, mayOpen: MayOpen) {
    const [wm, items] = await Promise.all([
      this.values.entries(view.wm, mayOpen),
      this.values.entries(view.cwm.items, mayOpen),
    ]);
    return { ...view, wm, cwm: { ...view.cwm, items } };
  }
}
