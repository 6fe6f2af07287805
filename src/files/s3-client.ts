import { S3Client } from 'bun'
import type { S3Config } from '../config.ts'

/** Bytes of one request that writes: an upload is one, a large attachment a few, which the store makes whole at the end. */
const PART_SIZE = 10 * 1024 * 1024

/** Speaks to the bucket of an S3-compatible store. */
export function clientOf({ bucket, endpoint, region, accessKeyId, secretAccessKey, sessionToken }: S3Config): S3Client {
  return new S3Client({
    bucket,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken ? { sessionToken } : {}),
    ...(endpoint ? { endpoint } : {}),
    ...(region ? { region } : {}),
    retry: 2,
    partSize: PART_SIZE,
  })
}
