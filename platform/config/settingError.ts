/** A setting that the operator has to correct. The message is one line that names the setting. */
export class SettingError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SettingError'
  }
}
