/** The commands of the command line, as its help and the documentation describe them. */
export interface CommandReference {
  groups: { title: string; commands: DescribedCommand[] }[]
  /** The options for the settings of a page. */
  settings: DescribedOption[]
}

export interface DescribedCommand {
  name: string
  /** Other names of the command. */
  aliases: string[]
  /** The arguments: `PAGE [PATH]`. */
  args: string
  summary: string
  example: string
  options: DescribedOption[]
  /** It also takes the options for settings. */
  hasSettings: boolean
}

export interface DescribedOption {
  /** The option with a placeholder for its value: `--entry FILE`. */
  spelling: string
  help: string
}
