/** `with { type: 'file' }` gives the path, inside the executable too. */
declare module '*.ico' {
  const path: string
  export default path
}
