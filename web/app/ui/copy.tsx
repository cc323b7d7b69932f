import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '../../copy-text.ts'
import { Button, type ButtonLook, IconButton } from './button.tsx'
import { showError } from './toast.tsx'

const SAID_MS = 2_000

type Text = string | (() => Promise<string>)

/** Copies a text. Says so in its place, also to screen readers. */
export function CopyButton({
  text,
  label = 'Copy',
  look = 'plain',
}: {
  text: Text
  label?: string
  look?: ButtonLook
}) {
  const { isCopied, copy } = useCopy(text)
  return (
    <>
      <Button look={look} onClick={copy} icon={isCopied ? <Check size={16} /> : <Copy size={16} />}>
        {label}
      </Button>
      <Said isCopied={isCopied} />
    </>
  )
}

/** The same, with its name shown on hover alone. */
export function CopyIcon({ text, label }: { text: Text; label: string }) {
  const { isCopied, copy } = useCopy(text)
  return (
    <>
      <IconButton label={label} onClick={copy}>
        {isCopied ? <Check size={16} /> : <Copy size={16} />}
      </IconButton>
      <Said isCopied={isCopied} />
    </>
  )
}

function Said({ isCopied }: { isCopied: boolean }) {
  return (
    <span role="status" className="sr-only">
      {isCopied && 'Copied'}
    </span>
  )
}

function useCopy(text: Text) {
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
  return { isCopied, copy }
}
