/** A bucket, and a prefix of the keys in it. */
export interface S3Place {
  readonly bucket: string;
  readonly prefix: string;
}

const S3_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9!_.*'()/-]*))?$/;

/** Returns the place that `s3://bucket` or `s3://bucket/prefix` names; undefined for any other text. */
export function s3PlaceOf(url: string): S3Place | undefined {
  const [, bucket, prefix = ''] = S3_URL.exec(url) ?? [];
  return bucket === undefined ? undefined : { bucket, prefix: prefix.replace(/(?<!\/)\/+$/, '') };
}

/** Names an object at a place, as commands of the S3 client do. */
export const objectIn = ({ bucket, prefix }: S3Place, name: string) => ({
  Bucket: bucket,
  Key: prefix === '' ? name : `${prefix}/${name}`,
});
