/** What runs this process: the executable, or Bun. Asked for at the start: once another file lies there, the system no longer tells where this one came from. */
export const PROGRAM = process.execPath
