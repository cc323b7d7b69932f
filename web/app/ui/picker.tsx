import { useId, useLayoutEffect, useRef, useState } from 'preact/compat'
import { scrollInto } from '../hooks.ts'
import { useClose } from './dialog.tsx'

export interface Command {
  name: string
  /** Distinguishes commands with the same name. */
  id?: string
  run(): void
}

interface PickerProps {
  label: string
  /** Of its field. */
  prompt: string
  text: string
  onText(text: string): void
  commands: readonly Command[]
  onClose(): void
}

/** A list of which one is chosen by arrow keys and Enter, above everything, with a search field. */
export function Picker({ label, prompt, text, onText, commands, onClose }: PickerProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [current, setCurrent] = useState(0)
  useLayoutEffect(() => {
    const element = dialog.current!
    element.showModal()
    // By this the browser gives the focus back to what had it.
    return () => element.close()
  }, [])

  function run(command: Command | undefined): void {
    if (command === undefined) return
    onClose()
    command.run()
  }
  function press(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setCurrent((current + step + commands.length) % Math.max(1, commands.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(commands[current])
    }
  }
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onCancel={onClose}
      onClose={onClose}
      onPointerDown={(event) => event.target === dialog.current && onClose()}
      className="mt-[12dvh] mb-auto w-[min(36rem,calc(100%-2rem))] rounded-card border border-line bg-raised p-0 shadow-float"
    >
      <input
        type="text"
        maxLength={200}
        role="combobox"
        aria-label={prompt}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={commands.length > 0 ? `${id}-${current}` : undefined}
        placeholder={prompt}
        value={text}
        onChange={(event) => {
          onText(event.currentTarget.value)
          setCurrent(0)
        }}
        onKeyDown={press}
        className="w-full border-b border-line bg-transparent px-4 py-3 text-17 outline-none"
      />
      <div id={id} role="listbox" aria-label="Found" className="max-h-80 overflow-y-auto p-2">
        {commands.map((command, at) => (
          <div
            key={command.id ?? command.name}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === current}
            ref={at === current ? scrollInto : null}
            onPointerMove={() => setCurrent(at)}
            onClick={() => run(command)}
            onKeyDown={press}
            className="truncate rounded-control px-3 py-2 aria-selected:bg-sunk"
          >
            {command.name}
          </div>
        ))}
      </div>
      <p role="status" className="px-5 text-muted not-empty:pb-4">
        {commands.length === 0 && 'Nothing has this name.'}
      </p>
    </dialog>
  )
}

/** A picker among commands that are all known: it shows those whose names have what is typed. */
export function Chooser({ commands, ...props }: Omit<PickerProps, 'text' | 'onText' | 'onClose'>) {
  const [text, setText] = useState('')
  return (
    <Picker
      {...props}
      text={text}
      onText={setText}
      commands={commands.filter(hasName(text))}
      onClose={useClose()}
    />
  )
}

/** Whether a name has the text in it, in small or capital letters. */
export function hasName(text: string): (named: { name: string }) => boolean {
  const part = text.trim().toLowerCase()
  return ({ name }) => name.toLowerCase().includes(part)
}
