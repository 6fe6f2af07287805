/** `with { type: 'file' }` gives the path, inside the executable too. */
declare module '*.webp' {
  const path: string
  export default path
}

declare module '*.yml' {
  const path: string
  export default path
}
