/** What Bun compiles to, by the name that the executable's file ends in. */
export const targets = [
  'linux-x64',
  'linux-x64-musl',
  'linux-arm64',
  'linux-arm64-musl',
  'darwin-arm64',
  'darwin-x64',
  'windows-x64',
] as const
export type Target = (typeof targets)[number]

export const isTarget = (name: string): name is Target => (targets as readonly string[]).includes(name)

/** What an executable is called in a release. */
export function fileOf(target: Target): string {
  return `frontdesk-${target}${target.startsWith('windows') ? '.exe' : ''}`
}

/** The target that runs here, where there is one. */
export function ownTarget(): Target | null {
  const isMusl = process.platform === 'linux' && !('glibcVersionRuntime' in reportHeader())
  const name = `${process.platform.replace('win32', 'windows')}-${process.arch}${isMusl ? '-musl' : ''}`
  return isTarget(name) ? name : null
}

function reportHeader(): object {
  return (process.report?.getReport() as { header?: object } | undefined)?.header ?? {}
}
