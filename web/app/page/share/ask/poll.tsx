import { useState } from 'react'
import { MAX_POLL_QUESTION } from '../../../../../src/model/page/limits.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { Unfolded } from '../section.tsx'
import { Refusal } from '../setting-switch.tsx'
import { useSharing } from '../sharing.ts'
import { useUnsent } from '../use-unsent.ts'
import { OptionRows } from './option-rows.tsx'
import { filledOptions, problemOf } from './options.ts'
import { PollFields } from './poll-fields.tsx'

interface NewPoll {
  question: string
  rows: string[]
}

/** A poll. Question and options are collected first, and saved together when it starts. */
export function Poll() {
  const { page, save } = useSharing()
  const [isNew, setNew] = useState(false)
  const [typed, setTyped] = useState<NewPoll>({ question: '', rows: ['', ''] })
  const { collect_votes: isOn, poll_question: question, poll_options: options } = page

  function change(next: boolean): void {
    const isComplete = question !== null && options.length > 0
    setNew(next && !isComplete)
    if (next ? isComplete : isOn) save('collect_votes', { collect_votes: next })
  }
  return (
    <div className="grid gap-3">
      <div>
        <Switch
          label="Poll"
          help={
            isOn || question === null
              ? 'One question, answered with one of your options.'
              : 'Off: its question and votes are kept.'
          }
          isOn={isOn || isNew}
          onChange={change}
        />
        <Refusal field="collect_votes" />
      </div>
      {isOn && (
        <Unfolded>
          <PollFields />
        </Unfolded>
      )}
      {isNew && !isOn && (
        <Unfolded>
          <NewPollFields typed={typed} onChange={setTyped} />
        </Unfolded>
      )}
    </div>
  )
}

interface NewPollProps {
  typed: NewPoll
  onChange(typed: NewPoll): void
}

function NewPollFields({ typed, onChange }: NewPollProps) {
  const { save } = useSharing()
  const [wasTried, setTried] = useState(false)
  const question = typed.question.normalize('NFC').trim()
  const problem = problemOf(typed.rows)
  useUnsent('Poll', question !== '' || filledOptions(typed.rows).length > 0)

  function start(): void {
    setTried(true)
    if (question === '' || problem !== null) return
    save('collect_votes', {
      collect_votes: true,
      poll_question: question,
      poll_options: filledOptions(typed.rows),
    })
  }
  return (
    <>
      <TextField
        label="Question"
        dir="auto"
        maxLength={MAX_POLL_QUESTION}
        value={typed.question}
        error={wasTried && question === '' ? 'Ask something.' : null}
        onChange={({ target }) => onChange({ ...typed, question: target.value })}
      />
      <OptionRows
        rows={typed.rows}
        error={wasTried ? problem : null}
        onChange={(rows) => onChange({ ...typed, rows })}
        onBlur={() => {}}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button look="primary" onClick={start}>
          Start poll
        </Button>
        <p className="text-13 text-muted">Viewers see nothing of it before.</p>
      </div>
    </>
  )
}
