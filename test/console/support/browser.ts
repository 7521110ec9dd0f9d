import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '#test/support/chromium.js';

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/** The longest wait in ms for something to appear on a page; long, because both cores may be busy. */
const WAIT_MS = 60_000;
/** The longest wait in ms for a page to show that an answer failed. */
const ALERT_WAIT_MS = 10_000;

/** A headless Chromium for the tests of a file. */
export class ConsoleBrowser {
  private constructor(private readonly browser: Browser) {}

  static async start(): Promise<ConsoleBrowser> {
    return new ConsoleBrowser(await launchChromium());
  }

  /** Opens the console in a window of its own, signed in with this token. */
  async open(service: { readonly url: string }, token: string, path = '/'): Promise<ConsolePage> {
    const context = await this.newContext();
    await context.addInitScript((stored) => {
      if (sessionStorage.getItem('mace.session') === null)
        sessionStorage.setItem('mace.session', stored);
    }, token);
    return this.openIn(context, service, path);
  }

  /** Opens the console in a window of its own, in which nobody is signed in. */
  async openSignedOut(service: { readonly url: string }, path = '/'): Promise<ConsolePage> {
    return this.openIn(await this.newContext(), service, path);
  }

  private async newContext(): Promise<BrowserContext> {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 } });
    context.setDefaultTimeout(WAIT_MS);
    return context;
  }

  private async openIn(
    context: BrowserContext,
    { url }: { readonly url: string },
    path: string,
  ): Promise<ConsolePage> {
    const opened = new ConsolePage(context, await context.newPage(), `${url}/console`);
    await opened.goto(path);
    return opened;
  }

  async stop(): Promise<void> {
    await this.browser.close();
  }
}

/** A window with the console. */
export class ConsolePage {
  /** What the page wrote to the browser's console as errors, and its uncaught exceptions. */
  readonly errors: string[] = [];

  constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
    private readonly base: string,
  ) {
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(message.text());
    });
    page.on('pageerror', (error) => this.errors.push(error.message));
  }

  /** Loads a page of the console, and waits for its heading. */
  async goto(path: string): Promise<void> {
    await this.page.goto(this.base + path);
    await this.page.locator('h1').first().waitFor();
  }

  /** Returns the window that this page opens for a path of the console. */
  async opened(path: string): Promise<ConsolePage> {
    const [page] = await Promise.all([
      this.context.waitForEvent('page'),
      this.page.evaluate((address) => void window.open(address), this.base + path),
    ]);
    await page.locator('h1').first().waitFor();
    return new ConsolePage(this.context, page, this.base);
  }

  /** Returns the paths of all routes that have a page. */
  routes(): Promise<string[]> {
    return this.page.evaluate(() => Object.keys(__TSR_ROUTER__.routesByPath));
  }

  /** Waits until the page loads nothing any more. */
  async settled(): Promise<void> {
    await this.page.waitForFunction(() => !/^Loading /m.test(document.body.innerText));
  }

  /** Waits until no colour is on its way to another one, which would have less contrast. */
  private async still(): Promise<void> {
    await this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    // One in a closed part of the page is listed after its end.
    await this.page.waitForFunction(() =>
      document.getAnimations().every(({ playState }) => playState === 'finished'),
    );
  }

  /** True if the page says that something failed, or says so as soon as it has the answer. */
  async hasAlert(): Promise<boolean> {
    const alert = this.page.getByRole('alert').filter({ hasText: /\S/ });
    return alert
      .first()
      .waitFor({ timeout: ALERT_WAIT_MS })
      .then(
        () => true,
        () => false,
      );
  }

  /** Returns by how many pixels the page is wider than the window. */
  overflow(): Promise<number> {
    return this.page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
  }

  heading(): Promise<string> {
    return this.page.locator('h1').first().innerText();
  }

  /** Returns what axe finds wrong with the page, a line for each element. */
  async violations(): Promise<string[]> {
    await this.still();
    if (!(await this.page.evaluate(() => 'axe' in globalThis))) await this.page.evaluate(AXE);
    return this.page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: AxeOnPage };
      const { violations } = await axe.run(document, { resultTypes: ['violations'] });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
      );
    });
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}

interface AxeOnPage {
  run(
    root: unknown,
    options: object,
  ): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly target: string[]; readonly failureSummary: string }[];
    }[];
  }>;
}

// The functions above that run in the page know these.
declare const document: {
  getAnimations(): readonly { readonly playState: string }[];
  readonly body: { readonly innerText: string };
  readonly documentElement: { readonly scrollWidth: number; readonly clientWidth: number };
};
declare const sessionStorage: {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
};
declare const requestAnimationFrame: (next: (value: unknown) => void) => void;
declare const window: { open(address: string): unknown };
/** The router of the page. */
declare const __TSR_ROUTER__: { readonly routesByPath: object };
