/** What stands above a page whose form was refused: the id that its link leads to, and what is said of which field. */
export function problemOn(page: string): [id?: string, said?: string] {
  const [, id, said] = /class="problem" role="alert"[^>]*>.*?<a href="#([^"]*)">([^<]*)</s.exec(page) ?? []
  return id === undefined || said === undefined ? [] : [id, said]
}
