import { useMemo } from 'preact/compat'
import { renderSVG } from 'uqr'
import { messageOf, type Page } from '../../api.ts'
import { Button, PrimaryButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showError } from '../../ui/toast.tsx'
import { shownLink } from '../words.ts'

export default function QrDialog({ page }: { page: Page }) {
  const svg = useMemo(() => qrSvg(page.url), [page.url])
  const address = `data:image/svg+xml,${encodeURIComponent(svg)}`
  const name = `${page.slug}-qr`
  function savePng(): void {
    pngOf(address)
      .then((png) => saveFile(png, `${name}.png`))
      .catch((err) => showError(messageOf(err)))
  }
  return (
    <Dialog
      title="QR code"
      actions={
        <>
          <Button onClick={() => saveFile(address, `${name}.svg`)}>Download SVG</Button>
          <PrimaryButton onClick={savePng}>Download PNG</PrimaryButton>
        </>
      }
    >
      <img
        src={address}
        alt={`QR code of ${page.url}`}
        className="mx-auto w-full max-w-72 rounded-card border border-line"
      />
      <p className="mt-3 text-center font-mono text-13 break-all text-muted">
        {shownLink(page.url)}
      </p>
    </Dialog>
  )
}

function saveFile(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

const MODULE_PIXELS = 24

/**
 * The QR code of a link, with the light border that scanners need. Its correction level survives a
 * logo’s worth of damage on paper.
 */
export function qrSvg(text: string): string {
  const svg = renderSVG(text, { ecc: 'M', border: 4, pixelSize: MODULE_PIXELS })
  const [, size] = /viewBox="0 0 (\d+)/.exec(svg)!
  return svg.replace('>', ` width="${size}" height="${size}" shape-rendering="crispEdges">`)
}

async function pngOf(address: string): Promise<string> {
  const image = new Image()
  image.src = address
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth
  canvas.height = image.naturalHeight
  canvas.getContext('2d')!.drawImage(image, 0, 0)
  return canvas.toDataURL()
}
