import { S3Client } from '@aws-sdk/client-s3';
import { boundedRequests, type S3Bounds } from './s3-requests.js';

/**
 * Opens an S3-compatible store. Region, endpoint and credentials come from the standard AWS variables (AWS_REGION,
 * AWS_ENDPOINT_URL_S3, AWS_ACCESS_KEY_ID, …).
 */
export const s3Client = (bounds: S3Bounds): S3Client =>
  new S3Client({
    // With the bucket in the path, the URL works with every compatible store and needs no DNS name.
    forcePathStyle: true,
    maxAttempts: 2,
    region: process.env['AWS_REGION'] ?? 'us-east-1',
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: boundedRequests(bounds),
  });
