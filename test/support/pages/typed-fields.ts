/** The fields of a form and what stands in them, as a browser would send them: of a form whose fields each have one value. */
export function typedIn(markup: string): Record<string, string> {
  const fields: Record<string, string> = {}
  const plain = (text = '') =>
    text.replace(
      /&(lt|gt|quot|#x27|amp);/g,
      (_, name: string) => ({ lt: '<', gt: '>', quot: '"', '#x27': "'" })[name] ?? '&',
    )
  for (const [input] of markup.matchAll(/<input[^>]*>/g)) {
    const of = (name: string) => plain(new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1])
    if (!input.includes('type="checkbox"') || / checked/.test(input)) fields[of('name')] = of('value')
  }
  for (const [, name = '', text] of markup.matchAll(/<textarea[^>]* name="([^"]*)"[^>]*>\n(.*?)<\/textarea>/gs))
    fields[name] = plain(text)
  for (const [, name = '', options = ''] of markup.matchAll(/<select name="([^"]*)"[^>]*>(.*?)<\/select>/gs))
    fields[name] = /value="([^"]*)" selected/.exec(options)?.[1] ?? /value="([^"]*)"/.exec(options)?.[1] ?? ''
  return fields
}
