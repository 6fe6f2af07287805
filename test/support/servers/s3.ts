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

/** What `GET /bucket/?uploads` shows of one. */
export interface ListedUpload {
  readonly key: string
  readonly uploadId: string
  readonly begunAt: number
}

/**
 * In front of a server that has no list of uploads in parts: answers it, with what `listed` says by then, and passes on what else
 * it is asked. `ended` holds the uploads that it was told to end.
 */
export function listUploads(endpoint: string, listed: () => readonly ListedUpload[]) {
  const ended: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search, searchParams } = new URL(request.url)
      if (request.method === 'GET' && searchParams.has('uploads')) {
        const left = listed().filter(({ uploadId }) => !ended.some((upload) => upload.endsWith(` ${uploadId}`)))
        const uploads = left.filter(({ key }) => key.startsWith(searchParams.get('prefix') ?? ''))
        return new Response(
          `<ListMultipartUploadsResult>${uploads.map(elementOf).join('')}</ListMultipartUploadsResult>`,
        )
      }
      if (request.method === 'DELETE' && searchParams.has('uploadId')) {
        ended.push(`${decodeURIComponent(pathname)} ${searchParams.get('uploadId')}`)
        return new Response(null, { status: 204 })
      }
      const { method, headers } = request
      return fetch(endpoint + pathname + search, { method, headers, body: await request.arrayBuffer() })
    },
  })
  return { endpoint: server.url.origin, ended, stop: () => server.stop(true) }
}

function elementOf({ key, uploadId, begunAt }: ListedUpload): string {
  const initiated = new Date(begunAt).toISOString()
  return `<Upload><Key>${key}</Key><UploadId>${uploadId}</UploadId><Initiated>${initiated}</Initiated></Upload>`
}
