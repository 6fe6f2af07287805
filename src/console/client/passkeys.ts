/*
 * Passkeys, which nothing but a script can make and use. A form says in `data-passkey` what for; what the browser made is
 * put into it, and sent as any form.
 */

const asked = document.querySelector<HTMLFormElement>('form[data-passkey]')
const canUse = typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

if (asked && canUse) begin(asked)

function begin(form: HTMLFormElement): void {
  const says = form.querySelector<HTMLElement>('[data-passkey-problem]')
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (says) says.textContent = ''
    try {
      const credential = form.dataset.passkey === 'create' ? await create(form) : await sign(form)
      field(form, 'credential').value = JSON.stringify(credential?.toJSON())
      form.submit()
    } catch {
      // Cancelled, mostly: it can be tried again.
      delete form.dataset.sent
      if (says) says.textContent = says.dataset.passkeyProblem ?? ''
    }
  })
}

async function sign(form: HTMLFormElement): Promise<PublicKeyCredential | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(form.dataset.options ?? '{}'))
  return (await navigator.credentials.get({ publicKey })) as PublicKeyCredential | null
}

async function create(form: HTMLFormElement): Promise<PublicKeyCredential | null> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(form.dataset.options ?? '{}'))
  return (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null
}

function field(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement
}
