import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, type ButtonLook } from './button.tsx'
import { copyText } from './copy-text.ts'
import { showError } from './toast.tsx'

const SAID_MS = 2_000

/** Copies a text. Says so in its place, also to screen readers. */
export function CopyButton({
  text,
  label = 'Copy',
  look = 'plain',
}: {
  text: string | (() => Promise<string>)
  label?: string
  look?: ButtonLook
}) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy(): Promise<void> {
    try {
      await copyText(typeof text === 'string' ? text : await text())
      setCopied(true)
    } catch {
      showError('The browser did not let this page copy. Select the text and copy it yourself.')
    }
  }
  return (
    <>
      <Button look={look} onClick={copy} icon={isCopied ? <Check size={16} /> : <Copy size={16} />}>
        {label}
      </Button>
      <span role="status" className="sr-only">
        {isCopied && 'Copied'}
      </span>
    </>
  )
}
