/** The fields of the page's form as a browser would send them. */
export async function fieldsIn(page: string): Promise<Record<string, string>> {
  const fields: Record<string, string> = {}
  let select = ''
  await new HTMLRewriter()
    .on('form.stack input', {
      element(input) {
        const [name, type] = [input.getAttribute('name'), input.getAttribute('type')]
        if (name && type !== 'checkbox' && name !== 'csrf') fields[name] = input.getAttribute('value') ?? ''
      },
    })
    .on('form.stack textarea', {
      element(area) {
        select = area.getAttribute('name') ?? ''
        fields[select] = ''
      },
      text({ text }) {
        fields[select] += text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
      },
    })
    .on('form.stack select', {
      element(element) {
        select = element.getAttribute('name') ?? ''
      },
    })
    .on('form.stack select option', {
      element(option) {
        const isFirst = !(select in fields)
        if (isFirst || option.hasAttribute('selected')) fields[select] = option.getAttribute('value') ?? ''
      },
    })
    .transform(new Response(page))
    .text()
  return fields
}
