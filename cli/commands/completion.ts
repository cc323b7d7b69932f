import { type CommandContext, positionalArgs } from '../command.ts'
import { completionScript, SHELLS, type Shell } from '../completion.ts'
import { WrongUsage } from '../output.ts'

export async function run(context: CommandContext): Promise<void> {
  const [shell = ''] = positionalArgs(context, ['bash, zsh or fish'])
  if (!SHELLS.includes(shell as Shell)) {
    throw new WrongUsage(`There is no completion for ${shell}: choose ${SHELLS.join(', ')}.`)
  }
  const script = await completionScript(shell as Shell, context.commands)
  context.print({ shell, script }, script.split('\n'))
}
