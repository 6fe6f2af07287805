/** Files that are served as they are: `with { type: 'file' }` gives their path, inside the executable too. */
declare module 'swagger-ui-dist/*' {
  const path: string
  export default path
}

declare module '*/start.js' {
  const path: string
  export default path
}
