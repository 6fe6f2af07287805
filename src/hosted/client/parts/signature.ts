import { give, toolsFor } from './kit.ts'
import { sendFile, type UploadProblem } from './uploading.ts'

const { jsonOf, one, setValue, newKey, say } = toolsFor('signature')

/** What the hidden field of a signature holds. */
interface Signed {
  /** Of the drawing, under which it is sent: once, however often that is tried. */
  key: string
  uploadId?: string
  /** What was drawn, to be shown after a reload; a name is typed in its own field. */
  picture?: string
}

/** Of a line that a finger or a mouse draws, in pixels of the picture; a pen draws from half to one and a half of it. */
const WIDTH = 6

/**
 * A pad to draw on, or a name typed in its place; both become a PNG. It is sent before the page's answers are, once for
 * each drawing: `beforeSave` resolves with a sentence for people when it could not be. The picture has a size of its own,
 * so that it stays whatever becomes of the window.
 */
function signature(question: HTMLElement, path: string): { beforeSave(): Promise<string | null> } {
  const canvas = one<HTMLCanvasElement>(question, 'canvas')
  const typed = one<HTMLInputElement>(question, 'input[type=text]')
  const signed = one<HTMLInputElement>(question, 'input[type=hidden]')
  const context = canvas.getContext('2d') as CanvasRenderingContext2D

  // The picture is drawn in black: the pad is white in the dark, too.
  context.lineCap = context.lineJoin = 'round'
  context.strokeStyle = context.fillStyle = '#111'

  canvas.addEventListener('pointerdown', (event) => {
    // A second finger draws nothing.
    if (event.button !== 0 || !event.isPrimary) return
    event.preventDefault()
    if (typed.value) {
      typed.value = ''
      erase(context)
    }
    draw(context, event, () => keepDrawing(signed, canvas))
  })

  const writeName = () => keep(signed, write(context, typed.value) ? { key: newKey() } : null)
  typed.addEventListener('input', writeName)

  one(question, '[data-erase]').addEventListener('click', () => {
    typed.value = ''
    erase(context)
    keep(signed, null)
  })

  question.addEventListener('sync', () => {
    const current = jsonOf<Signed>(signed)
    // Empty, this takes the old drawing away.
    if (write(context, typed.value) || !current?.picture) return
    const image = new Image()
    image.onload = () => context.drawImage(image, 0, 0, canvas.width, canvas.height)
    image.src = current.picture
  })

  // A name that was typed before this script came.
  if (typed.value !== '' && signed.value === '') writeName()

  return { beforeSave: () => send(canvas, signed, path) }
}

function erase(context: CanvasRenderingContext2D): void {
  context.clearRect(0, 0, context.canvas.width, context.canvas.height)
}

/** Draws what the pointer that went `down` does, until it is lifted. */
function draw(context: CanvasRenderingContext2D, down: PointerEvent, lifted: () => void): void {
  const { canvas } = context
  canvas.setPointerCapture(down.pointerId)
  let from = placeOn(canvas, down)
  const lineTo = (move: PointerEvent) => {
    const to = placeOn(canvas, move)
    context.lineWidth = move.pointerType === 'pen' ? WIDTH * (0.5 + move.pressure) : WIDTH
    context.beginPath()
    context.moveTo(...from)
    context.lineTo(...to)
    context.stroke()
    from = to
  }
  const follow = (move: PointerEvent) => {
    if (move.pointerId !== down.pointerId) return
    // Between two frames the pointer was in more places than one.
    const places = move.getCoalescedEvents?.() ?? []
    for (const place of places.length > 0 ? places : [move]) lineTo(place)
  }
  const end = () => {
    canvas.removeEventListener('pointermove', follow)
    lifted()
  }
  // A tap leaves a dot.
  lineTo(down)
  canvas.addEventListener('pointermove', follow)
  canvas.addEventListener('lostpointercapture', end, { once: true })
}

function keep(signed: HTMLInputElement, value: Signed | null): void {
  setValue(signed, value ? JSON.stringify(value) : '')
}

function placeOn(canvas: HTMLCanvasElement, { clientX, clientY }: PointerEvent): [number, number] {
  const { left, top, width, height } = canvas.getBoundingClientRect()
  return [((clientX - left) * canvas.width) / width, ((clientY - top) * canvas.height) / height]
}

/** Writes the name on the pad, as large as it fits. Returns whether there is one. */
function write(context: CanvasRenderingContext2D, typed: string): boolean {
  const { width, height } = context.canvas
  const name = typed.trim()
  erase(context)
  for (const size of [160, 128, 96, 72, 56, 40]) {
    context.font = `italic ${size}px "Segoe Script", "Snell Roundhand", "Brush Script MT", cursive`
    if (context.measureText(name).width <= width - 120) break
  }
  context.textAlign = 'center'
  context.fillText(name, width / 2, height * 0.64)
  return name !== ''
}

/** It counts from now on. Its picture takes longer than a line may, and is made once that is painted. */
function keepDrawing(signed: HTMLInputElement, canvas: HTMLCanvasElement): void {
  const key = newKey()
  keep(signed, { key })
  setTimeout(() => {
    const current = jsonOf<Signed>(signed)
    if (current?.key === key) keep(signed, { ...current, picture: canvas.toDataURL() })
  }, 50)
}

/** Sends what is on the pad, unless it was. Resolves with a sentence for people when it could not be. */
async function send(canvas: HTMLCanvasElement, signed: HTMLInputElement, path: string): Promise<string | null> {
  const current = jsonOf<Signed>(signed)
  if (!current || current.uploadId) return null
  const content = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
  if (!content) return say('signatureUnreadable')
  try {
    const uploadId = (await sendFile(path, { content, name: 'signature.png', key: current.key })) as string
    const now = jsonOf<Signed>(signed)
    // Somebody has signed anew meanwhile.
    if (now?.key !== current.key) return send(canvas, signed, path)
    keep(signed, { ...now, uploadId })
    return null
  } catch (problem) {
    return (problem as UploadProblem).message
  }
}

give('signature', signature)
