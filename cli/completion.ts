import { assertChoice, type CommandContext, type Declaration, firstWord } from './command.ts'
import { SERVER_COMMANDS } from './commands/server.ts'

/** Arguments that can be the path of a file. */
const PATHS = /PATH|PAGE|FILE|FOLDER|RECORD|BACKUP/

interface Completion {
  name: string
  summary: string
  words: string[]
  takesFiles: boolean
  /** Options whose values are these words. */
  options: { flag: string; choices: readonly string[] }[]
}

async function allCompletions(commands: Record<string, Declaration>): Promise<Completion[]> {
  const { settingFlags } = await import('./settings.ts')
  const firstWords = [...new Set(Object.keys(commands).map(firstWord))]
  const all = firstWords.map((name) => {
    const group = Object.entries(commands).filter(([each]) => firstWord(each) === name)
    const forms = group.map(([each, { args }]) => `${each.slice(name.length)} ${args}`)
    const flags = group.flatMap(([, { flags = {} }]) =>
      Object.entries(flags).map(([flag, { choices = [] }]) => ({ flag, choices })),
    )
    const hasSettings = group.some(([, command]) => command.hasSettings)
    const options = [...flags, ...(hasSettings ? settingFlags() : [])]
    // What is written in small letters is typed as it is: `bash|zsh|fish`.
    const plain = forms.flatMap((form) => form.match(/(?<![\w-])[a-z]+(-[a-z]+)*\b/g) ?? [])
    const words = [...plain, ...options.map(({ flag }) => `--${flag}`), '--json', '--help']
    const summary = commands[name]?.summary ?? plain.join(', ')
    const isServers = group.every(([each]) => Object.hasOwn(SERVER_COMMANDS, each))
    return {
      name,
      summary: isServers ? `${summary} (where the server runs)` : summary,
      words: [...new Set(words)],
      takesFiles: forms.some((form) => PATHS.test(form)),
      options: options.filter((each) => each.choices[0]),
    }
  })
  const none = { takesFiles: false, options: [] }
  return [
    ...all,
    { name: 'man', summary: 'print the manual', words: ['--json', '--help'], ...none },
    { name: 'help', summary: 'what a command does', words: [...firstWords, 'man'], ...none },
  ]
}

/** The cases of a shell in which an option with choices stands before the word. */
function choiceCases(completions: Completion[], offer: (words: string) => string): string {
  const cases = completions.flatMap(({ name, options }) =>
    options.map(({ flag, choices }) => `    '${name} --${flag}') ${offer(choices.join(' '))} ;;`),
  )
  return cases.join('\n')
}

function bashScript(completions: Completion[]): string {
  const cases = completions.map(
    ({ name, words, takesFiles }) =>
      `    ${name}) words='${words.join(' ')}'; files=${takesFiles ? 1 : 0} ;;`,
  )
  return `# handbill: completion for bash. In ~/.bashrc: source <(handbill completion bash)
_handbill() {
  local current=\${COMP_WORDS[COMP_CWORD]} words files=0
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${completions.map(({ name }) => name).join(' ')}' -- "$current"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${choiceCases(completions, (words) => `words='${words}'; files=0`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ "$files" = 1 ] && [[ $current != -* ]]; then
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$current"))
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _handbill handbill`
}

function zshScript(completions: Completion[]): string {
  const names = completions.map(
    ({ name, summary }) => `    '${name}:${unquoted(summary).replaceAll(':', '\\:')}'`,
  )
  const cases = completions.map(({ name, words, takesFiles }) => {
    const files = takesFiles ? '; [[ $PREFIX != -* ]] && _files' : ''
    return `    ${name}) compadd -- ${words.join(' ')}${files} ;;`
  })
  return `#compdef handbill
# handbill: completion for zsh. In ~/.zshrc, after compinit: source <(handbill completion zsh)
_handbill() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "$words[2] $words[CURRENT-1]" in
${choiceCases(completions, (words) => `compadd -- ${words}; return`)}
  esac
  case $words[2] in
${cases.join('\n')}
  esac
}
compdef _handbill handbill`
}

function fishScript(completions: Completion[]): string {
  const lines = completions.flatMap(({ name, summary, words, takesFiles, options: limited }) => {
    const values = new Map(limited.map(({ flag, choices }) => [flag, choices.join(' ')]))
    const used = `-n '__fish_seen_subcommand_from ${name}'`
    const plain = words.filter((word) => !word.startsWith('--'))
    const options = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2))
    return [
      `complete -c handbill -n __fish_use_subcommand -a ${name} -d '${unquoted(summary)}'`,
      ...(takesFiles ? [`complete -c handbill ${used} -F`] : []),
      ...(plain.length > 0 ? [`complete -c handbill ${used} -a '${plain.join(' ')}'`] : []),
      ...options.map((option) => {
        const choices = values.has(option) ? ` -x -a '${values.get(option)}'` : ''
        return `complete -c handbill ${used} -l ${option}${choices}`
      }),
    ]
  })
  const head = '# handbill: completion for fish. In config.fish: handbill completion fish | source'
  return [head, 'complete -c handbill -f', ...lines].join('\n')
}

function unquoted(text: string): string {
  return text.replaceAll("'", '')
}

const SCRIPTS: Record<string, (completions: Completion[]) => string> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** Prints a script that completes commands, options and paths. It has all names: it asks nobody. */
export async function printCompletion(context: CommandContext): Promise<void> {
  const [shell = ''] = context.args
  assertChoice('handbill completion', shell, Object.keys(SCRIPTS))
  const script = SCRIPTS[shell]!(await allCompletions(context.commands))
  context.print({ shell, script }, script.split('\n'))
}
