import { jsonOf, one, setValue } from './dom.ts'
import { newKey } from './sending.ts'
import { sendFile, type UploadProblem } from './uploading.ts'
import { say } from './words.ts'

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
export function signature(question: HTMLElement, path: string): { beforeSave(): Promise<string | null> } {
  const canvas = one<HTMLCanvasElement>(question, 'canvas')
  const typed = one<HTMLInputElement>(question, 'input[type=text]')
  const signed = one<HTMLInputElement>(question, 'input[type=hidden]')
  const context = canvas.getContext('2d') as CanvasRenderingContext2D

  // The picture is drawn in black: the pad is white in the dark, too.
  context.lineCap = context.lineJoin = 'round'
  context.strokeStyle = context.fillStyle = '#111'

  const erase = () => context.clearRect(0, 0, canvas.width, canvas.height)

  /** It counts from now on. Its picture takes longer than a line may, and is made once that is painted. */
  function keepDrawing(): void {
    const key = newKey()
    setValue(signed, JSON.stringify({ key } satisfies Signed))
    setTimeout(() => {
      const current = jsonOf<Signed>(signed)
      if (current?.key !== key) return
      setValue(signed, JSON.stringify({ ...current, picture: canvas.toDataURL() } satisfies Signed))
    }, 50)
  }

  function at({ clientX, clientY }: PointerEvent): [number, number] {
    const { left, top, width, height } = canvas.getBoundingClientRect()
    return [((clientX - left) * canvas.width) / width, ((clientY - top) * canvas.height) / height]
  }

  canvas.addEventListener('pointerdown', (event) => {
    // A second finger draws nothing.
    if (event.button !== 0 || !event.isPrimary) return
    event.preventDefault()
    canvas.setPointerCapture(event.pointerId)
    if (typed.value) {
      typed.value = ''
      erase()
    }
    let from = at(event)
    const lineTo = (move: PointerEvent) => {
      const to = at(move)
      context.lineWidth = move.pointerType === 'pen' ? WIDTH * (0.5 + move.pressure) : WIDTH
      context.beginPath()
      context.moveTo(...from)
      context.lineTo(...to)
      context.stroke()
      from = to
    }
    // A tap leaves a dot.
    lineTo(event)
    const draw = (move: PointerEvent) => {
      if (move.pointerId !== event.pointerId) return
      // Between two frames the pointer was in more places than one.
      const places = move.getCoalescedEvents?.() ?? []
      for (const place of places.length > 0 ? places : [move]) lineTo(place)
    }
    canvas.addEventListener('pointermove', draw)
    const end = () => {
      canvas.removeEventListener('pointermove', draw)
      keepDrawing()
    }
    canvas.addEventListener('lostpointercapture', end, { once: true })
  })

  typed.addEventListener('input', () => {
    const isName = write()
    setValue(signed, isName ? JSON.stringify({ key: newKey() } satisfies Signed) : '')
  })

  /** Writes the name on the pad, as large as it fits. Returns whether there is one. */
  function write(): boolean {
    erase()
    const name = typed.value.trim()
    for (const size of [160, 128, 96, 72, 56, 40]) {
      context.font = `italic ${size}px "Segoe Script", "Snell Roundhand", "Brush Script MT", cursive`
      if (context.measureText(name).width <= canvas.width - 120) break
    }
    context.textAlign = 'center'
    context.fillText(name, canvas.width / 2, canvas.height * 0.64)
    return name !== ''
  }

  one(question, '[data-erase]').addEventListener('click', () => {
    typed.value = ''
    erase()
    setValue(signed, '')
  })

  question.addEventListener('sync', () => {
    const current = jsonOf<Signed>(signed)
    // Empty, this takes the old drawing away.
    if (write() || !current?.picture) return
    const image = new Image()
    image.onload = () => context.drawImage(image, 0, 0, canvas.width, canvas.height)
    image.src = current.picture
  })

  async function beforeSave(): Promise<string | null> {
    const current = jsonOf<Signed>(signed)
    if (!current || current.uploadId) return null
    const content = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
    if (!content) return say('signatureUnreadable')
    try {
      const uploadId = (await sendFile(path, { content, name: 'signature.png', key: current.key })) as string
      const now = jsonOf<Signed>(signed)
      // Somebody has signed anew meanwhile.
      if (now?.key !== current.key) return beforeSave()
      setValue(signed, JSON.stringify({ ...now, uploadId } satisfies Signed))
      return null
    } catch (problem) {
      return (problem as UploadProblem).message
    }
  }

  return { beforeSave }
}
