import { startFauxqs } from 'fauxqs'
import { unusedPort } from '../processes/ports.ts'

/** An S3-compatible server of its own, with one empty bucket, and what has a service keep its files there. */
export async function startS3() {
  const bucket = 'files'
  // One that any program may be given would be another's while the server is stopped.
  const port = unusedPort()
  const start = () => startFauxqs({ port, host: '127.0.0.1', logger: false, init: { buckets: [bucket] } })
  let server = await start()
  const endpoint = `http://127.0.0.1:${port}`
  const account = { accessKeyId: 'key', secretAccessKey: 'secret' }
  return {
    environment: {
      FRONTDESK_FILES_URL: `s3://${bucket}/desk`,
      AWS_ACCESS_KEY_ID: account.accessKeyId,
      AWS_SECRET_ACCESS_KEY: account.secretAccessKey,
      AWS_ENDPOINT_URL: endpoint,
    },
    /** To look into the bucket from outside. */
    client: new Bun.S3Client({ bucket, endpoint, ...account }),
    stop: () => server.stop(),
    /** At the same address, without what it held. */
    async startAgain() {
      server = await start()
    },
  }
}
