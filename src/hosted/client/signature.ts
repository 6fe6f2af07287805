import { jsonOf, one, setValue } from './dom.ts'
import { sendFile } from './sending.ts'
import { say } from './words.ts'

/** What the hidden field of a signature holds: its upload, and the picture, to be shown after a reload. */
interface Signed {
  uploadId?: string
  picture: string
}

/**
 * A pad to draw on, or a name typed in its place; both become a PNG. It is sent before the page's answers are, once for
 * each drawing: `beforeSave` resolves with a sentence for people when it could not be.
 */
export function signature(question: HTMLElement, path: string): { beforeSave(): Promise<string | null> } {
  const canvas = one<HTMLCanvasElement>(question, 'canvas')
  const typed = one<HTMLInputElement>(question, 'input[type=text]')
  const signed = one<HTMLInputElement>(question, 'input[type=hidden]')
  const context = canvas.getContext('2d') as CanvasRenderingContext2D

  // The picture is drawn in black: the pad is white in the dark, too.
  context.lineWidth = 3
  context.lineCap = context.lineJoin = 'round'
  context.strokeStyle = context.fillStyle = '#111'

  const erase = () => context.clearRect(0, 0, canvas.width, canvas.height)
  const keep = () => setValue(signed, JSON.stringify({ picture: canvas.toDataURL() } satisfies Signed))

  function at({ clientX, clientY }: PointerEvent): [number, number] {
    const { left, top, width, height } = canvas.getBoundingClientRect()
    return [((clientX - left) * canvas.width) / width, ((clientY - top) * canvas.height) / height]
  }

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    event.preventDefault()
    canvas.setPointerCapture(event.pointerId)
    if (typed.value) {
      typed.value = ''
      erase()
    }
    context.beginPath()
    context.moveTo(...at(event))
    // A tap leaves a dot.
    context.lineTo(...at(event))
    context.stroke()
    const draw = (move: PointerEvent) => {
      context.lineTo(...at(move))
      context.stroke()
    }
    canvas.addEventListener('pointermove', draw)
    const end = () => {
      canvas.removeEventListener('pointermove', draw)
      keep()
    }
    canvas.addEventListener('lostpointercapture', end, { once: true })
  })

  typed.addEventListener('input', () => {
    erase()
    const name = typed.value.trim()
    if (name === '') return setValue(signed, '')
    for (const size of [80, 64, 48, 36, 28, 20]) {
      context.font = `italic ${size}px "Segoe Script", "Snell Roundhand", "Brush Script MT", cursive`
      if (context.measureText(name).width <= canvas.width - 60) break
    }
    context.textAlign = 'center'
    context.fillText(name, canvas.width / 2, 125)
    keep()
  })

  one(question, '[data-erase]').addEventListener('click', () => {
    typed.value = ''
    erase()
    setValue(signed, '')
  })

  question.addEventListener('sync', () => {
    erase()
    const picture = jsonOf<Signed>(signed)?.picture
    if (!picture) return
    const image = new Image()
    image.onload = () => context.drawImage(image, 0, 0)
    image.src = picture
  })

  return {
    async beforeSave() {
      const current = jsonOf<Signed>(signed)
      if (!current || current.uploadId) return null
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
      if (!blob) return say('signatureUnreadable')
      try {
        const uploadId = await sendFile(path, blob, 'signature.png', () => {})
        setValue(signed, JSON.stringify({ ...current, uploadId } satisfies Signed))
        return null
      } catch (problem) {
        return String(problem)
      }
    },
  }
}
