type Right = '$r' | '$w' | '$d';
type Acl = Readonly<Record<string, string | readonly string[]>>;

/** The rights of a stream's metadata, by the right to the stream. */
const OF_METADATA = { $r: '$mr', $w: '$mw', $d: '$mw' } as const;

/**
 * Decides who may do what, by the rules of EventStoreDB: the list in the stream's metadata counts, else the one of
 * `$settings`, else the server's default, which is everybody for a stream and the administrators for a
 * system stream.
 */
export class StreamAccess {
  constructor(private readonly lastJson: (stream: string) => Promise<unknown>) {}

  /** @param names the user's name and groups */
  async allows(names: readonly string[], right: Right, stream: string): Promise<boolean> {
    if (stream === '$all' && right !== '$r') return false;
    if (names.includes('$admins')) return true;
    const isMetadata = stream.startsWith('$$');
    const original = isMetadata ? stream.slice(2) : stream;
    const list = isMetadata ? OF_METADATA[right] : right;
    const isSystem = original.startsWith('$');
    const metadata = (await this.lastJson(`$$${original}`)) as { $acl?: Acl } | undefined;
    const settings = (await this.lastJson('$settings')) as Record<string, Acl> | undefined;
    const defaults = settings?.[isSystem ? '$systemStreamAcl' : '$userStreamAcl'];
    const allowed =
      metadata?.$acl?.[list] ?? defaults?.[list] ?? (isSystem ? ['$admins'] : ['$all']);
    return [allowed].flat().some((name) => name === '$all' || names.includes(name));
  }
}
