import { useMemo } from 'react'
import { messageOf } from '../../api.ts'
import type { Page } from '../../boot.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { showError } from '../../ui/toast.tsx'
import { shownLink } from '../words.ts'
import { qrCodeOf, qrPng, qrSvg } from './qr.ts'

/** The page’s link as a QR code, to show or to print. */
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

/** Hands a file to the browser to save. */
function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
