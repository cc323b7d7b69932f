import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { TextField } from '../ui/field.tsx'

/** A key in full: nothing shows it again. */
export function NewKey({ apiKey, onStored }: { apiKey: string; onStored?: () => void }) {
  return (
    <div className="rounded-card border border-line bg-raised p-4">
      <TextField
        label="API key"
        help="It acts for your account. It is shown this once: put it where you keep passwords."
        readOnly
        value={apiKey}
        autoComplete="off"
        spellCheck={false}
        className="font-mono text-13!"
        onFocus={({ target }) => target.select()}
      />
      <div className="mt-3 flex flex-wrap gap-2">
        <CopyButton text={apiKey} label="Copy key" />
        {onStored && (
          <Button look="quiet" onClick={onStored}>
            I have stored it
          </Button>
        )}
      </div>
    </div>
  )
}
