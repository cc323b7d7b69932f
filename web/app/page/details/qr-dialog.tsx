import { useMemo } from 'preact/compat'
import { encode } from 'uqr'
import { messageOf } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showError } from '../../ui/toast.tsx'
import { shownLink } from '../words.ts'

export default function QrDialog({ page, onClose }: { page: Page; onClose(): void }) {
  const code = useMemo(() => qrCodeOf(page.url), [page.url])
  const name = `${page.slug}-qr`
  function savePng(): void {
    qrPng(code)
      .then((blob) => saveFile(blob, `${name}.png`))
      .catch((err) => showError(messageOf(err)))
  }
  return (
    <Dialog
      title="QR code"
      onClose={onClose}
      actions={
        <>
          <Button onClick={() => saveFile(new Blob([qrSvg(code)], SVG), `${name}.svg`)}>
            Download SVG
          </Button>
          <Button look="primary" onClick={savePng}>
            Download PNG
          </Button>
        </>
      }
    >
      <svg
        role="img"
        aria-label={`QR code of ${page.url}`}
        viewBox={`0 0 ${code.size} ${code.size}`}
        shapeRendering="crispEdges"
        className="mx-auto w-full max-w-72 rounded-card border border-line bg-[#fff]"
      >
        <path d={code.path} fill="#000" />
      </svg>
      <p className="mt-3 text-center font-mono text-13 break-all text-muted">
        {shownLink(page.url)}
      </p>
    </Dialog>
  )
}

const SVG = { type: 'image/svg+xml' }

function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** The light border that scanners need, in modules. */
const BORDER = 4

export interface QrCode {
  size: number
  path: string
}

/** The QR code of a link. Its correction level survives a logo’s worth of damage on paper. */
export function qrCodeOf(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER })
  const rows = data.flatMap((row, y) =>
    runsIn(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`),
  )
  return { size, path: rows.join('') }
}

function runsIn(row: boolean[]): [number, number][] {
  const runs: [number, number][] = []
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (!isDark) continue
    if (last !== undefined && last[0] + last[1] === x) last[1] += 1
    else runs.push([x, 1])
  }
  return runs
}

/** An image file; black on white, which every scanner reads. */
export function qrSvg({ size, path }: QrCode): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="512" ` +
    `height="512" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/>` +
    `<path d="${path}"/></svg>\n`
  )
}

const PNG_MODULE_PIXELS = 24

export async function qrPng({ size, path }: QrCode): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = size * PNG_MODULE_PIXELS
  canvas.height = canvas.width
  const context = canvas.getContext('2d')!
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.scale(PNG_MODULE_PIXELS, PNG_MODULE_PIXELS)
  context.fillStyle = '#000'
  context.fill(new Path2D(path))
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No image was made.'))))
  })
}
