import { Check, Copy } from 'lucide-preact'
import { useState } from 'preact/compat'
import { copyText } from '../../copy-text.ts'
import { messageOf } from '../api.ts'
import { Button, type ButtonLook, IconButton } from './button.tsx'
import { showError } from './toast.tsx'

const SAID_MS = 2_000
const REFUSED = 'The browser did not let this page copy. Select the text and copy it yourself.'

interface CopyButtonProps {
  text: string | (() => Promise<string>)
  label?: string
  look?: ButtonLook
  /** Whether its name is shown on hover alone. */
  isIcon?: boolean
  onCopied?(): void
}

/** Copies a text. Says so in its place, also to screen readers. */
export function CopyButton(props: CopyButtonProps) {
  const { text, label = 'Copy', look = 'plain', isIcon, onCopied } = props
  const [isCopied, setCopied] = useState(false)

  async function copy(): Promise<void> {
    const value = typeof text === 'string' ? text : text()
    try {
      await copyText(value)
      setCopied(true)
      setTimeout(setCopied, SAID_MS, false)
      onCopied?.()
    } catch {
      showError(await Promise.resolve(value).then(() => REFUSED, messageOf))
    }
  }
  const icon = isCopied ? Check : Copy
  return (
    <>
      {isIcon ? (
        <IconButton label={label} icon={icon} onClick={copy} />
      ) : (
        <Button look={look} icon={icon} onClick={copy}>
          {label}
        </Button>
      )}
      <span role="status" className="sr-only">
        {isCopied && 'Copied'}
      </span>
    </>
  )
}
