declare module '*/form.css' {
  const text: string
  export default text
}
