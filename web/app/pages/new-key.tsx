import { useBoot } from '../account.ts'
import { createStore, useStore } from '../store.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { TextField } from '../ui/field.tsx'

/** A key that was made since the document was loaded; null once it is stored; undefined before. */
const made = createStore<string | null | undefined>(undefined)

/** The key that the set-up or this screen has just made, until it is dismissed. */
export function useNewKey() {
  const { new_key: ofSetUp } = useBoot()
  const own = useStore(made)
  return {
    key: own === undefined ? ofSetUp : own,
    show: (key: string) => made.set(key),
    putAway: () => made.set(null),
  }
}

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
