import { useId, useState } from 'preact/compat'
import { useBoot } from '../account.ts'
import { QuietButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { TextField } from '../ui/field.tsx'
import { ScrollArea } from '../ui/scroll-area.tsx'
import { type Lines, linesFor, NO_KEY } from './lines.ts'

/** What to paste into the common agents, a shell or a program, with the key where it is known. */
export function Connect({ apiKey }: { apiKey: string | null }) {
  const id = useId()
  const { base_url: baseUrl } = useBoot()
  const all = linesFor({ baseUrl, key: apiKey ?? NO_KEY })
  const [currentId, setCurrentId] = useState(all[0]!.id)
  const lines = all.find((each) => each.id === currentId)!

  function move(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = (all.indexOf(lines) + step + all.length) % all.length
    setCurrentId(all[at]!.id)
    document.getElementById(`${id}-${all[at]!.id}`)?.focus()
  }
  return (
    <div>
      <div
        role="tablist"
        aria-label="Programs"
        onKeyDown={move}
        className="-mx-4 flex ring-room gap-1 overflow-x-auto px-4 pb-2 sm:-mx-1 sm:flex-wrap sm:px-1"
      >
        {all.map((each) => (
          <button
            key={each.id}
            id={`${id}-${each.id}`}
            type="button"
            role="tab"
            aria-selected={each.id === currentId}
            aria-controls={`${id}-panel`}
            tabIndex={each.id === currentId ? 0 : -1}
            onClick={() => setCurrentId(each.id)}
            className="min-h-9 shrink-0 rounded-full border border-line px-3 text-13 whitespace-nowrap text-muted hover:text-ink aria-selected:border-ink aria-selected:text-ink pointer-coarse:min-h-11"
          >
            {each.name}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${currentId}`}>
        <Block lines={lines} />
      </div>
    </div>
  )
}

function Block({ lines: { how, text } }: { lines: Lines }) {
  return (
    <figure className="mt-2 overflow-hidden rounded-card border border-line bg-sunk">
      <figcaption className="flex items-center justify-between gap-3 border-b border-line py-1.5 pr-1.5 pl-4 text-13 text-muted">
        {how}
        <CopyButton look="quiet" text={text} />
      </figcaption>
      <ScrollArea as="pre" className="overflow-x-auto p-4 text-13">
        <code>{text}</code>
      </ScrollArea>
    </figure>
  )
}

interface SecretProps {
  label: string
  help: string
  secret: string
  /** On the button that copies it. */
  copy: string
  onStored?: (() => void) | undefined
}

/** A secret in full: nothing shows it again. */
export function NewSecret({ label, help, secret, copy, onStored }: SecretProps) {
  return (
    <div className="rounded-card border border-line bg-raised p-4">
      <TextField
        label={label}
        help={help}
        readOnly
        value={secret}
        autoComplete="off"
        spellcheck={false}
        className="font-mono text-13!"
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <div className="mt-3 flex flex-wrap gap-2">
        <CopyButton text={secret} label={copy} />
        {onStored && <QuietButton onClick={onStored}>I have stored it</QuietButton>}
      </div>
    </div>
  )
}

export function NewKey({ apiKey, onStored }: { apiKey: string; onStored?: () => void }) {
  return (
    <NewSecret
      label="API key"
      help="It acts for your account. It is shown this once: put it where you keep passwords."
      secret={apiKey}
      copy="Copy key"
      onStored={onStored}
    />
  )
}
