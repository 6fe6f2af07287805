/** `with { type: 'text' }` gives the text. */
declare module '*.md' {
  const text: string
  export default text
}

/** `with { type: 'file' }` gives the path, inside the executable too. */
declare module '*.png' {
  const path: string
  export default path
}

declare module '*.jpg' {
  const path: string
  export default path
}

declare module '*.pdf' {
  const path: string
  export default path
}

declare module '*.csv' {
  const path: string
  export default path
}
