import { join } from 'node:path'
import { emptyFolder } from '../processes/program.ts'
import { copyClient } from '../runs/build.ts'

let built: Promise<string> | undefined

/** The folder of the client's package, as it is built for use. */
export function clientPackage(): Promise<string> {
  built ??= (async () => {
    const folder = join(emptyFolder(), 'frontdesk-client')
    await copyClient(folder)
    return folder
  })()
  return built
}

/** What the package exports. Its types are those of a build: `test/client/types.test.ts` is about them. */
// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
export async function clientLibrary(): Promise<any> {
  return import(join(await clientPackage(), 'index.js'))
}
