// biome-ignore lint/suspicious/noExplicitAny: tests look into lines of any shape
export function logLines(stdout: string): any[] {
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
}

/** The lines of what went wrong. That the machine was busy, or its disk, is no fault of the program's. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into lines of any shape
export function faultLines(stdout: string): any[] {
  const isBusy = ({ message }: { message: string }) => /^(nobody was served|a statement took long)/.test(message)
  return logLines(stdout).filter((line) => line.level !== 'info' && !isBusy(line))
}
