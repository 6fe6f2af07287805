declare module 'stopword' {
  type Words = string[]
  export const ara: Words
  export const dan: Words
  export const deu: Words
  export const eng: Words
  export const fra: Words
  export const heb: Words
  export const ita: Words
  export const nld: Words
  export const pol: Words
  export const por: Words
  export const spa: Words
  export const swe: Words
}
