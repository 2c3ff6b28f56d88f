/** What the harness knows of one foreign agent: how it is started, told where its model and our tools are, and read. */

/** What a preset writes its settings from. */
export interface PresetInputs {
  readonly mcpUrl: string;
  readonly mcpToken: string;
  /** The model's name, as the provider calls it. */
  readonly model: string;
  /** Where the model is called; undefined: the provider's own address. */
  readonly baseUrl: string | undefined;
  /** The clean home folder. */
  readonly home: string;
}

/** What an agent's output says, read line by line. */
export interface Reading {
  /** The newest text that may be the answer. */
  readonly answer?: string;
  /** An error that the agent reports, where nothing came after it. */
  readonly error?: string;
  /** A limit of the agent's own that ran out, as a sentence without its full stop. */
  readonly exhausted?: string;
}

export interface Preset {
  readonly name: string;
  /** The package that it is known to work with. */
  readonly package: string;
  /** Its executable. */
  readonly command: string;
  /** The variable that it reads its key from. */
  readonly keyVariable: string;
  /** The kind of model API that it speaks, for messages. */
  readonly speaks: string;
  readonly needsModel: boolean;
  /** Its own tools: which are switched off, and which can't be. */
  readonly toolsOff: readonly string[];
  readonly toolsLeft: readonly string[];
  /** Arguments after the executable, with placeholders. */
  args(inputs: PresetInputs): readonly string[];
  /** Settings, by their path in the home folder. */
  files(inputs: PresetInputs): Readonly<Record<string, unknown>>;
  /** Variables beside the key. */
  env(inputs: PresetInputs): Readonly<Record<string, string>>;
  /** Exit codes that mean a limit of the agent's own ran out, each with its sentence without the full stop. */
  readonly limitExits?: Readonly<Record<number, string>>;
  /** Folds one line of standard output that is JSON. */
  read(reading: Reading, event: Readonly<Record<string, unknown>>): Reading;
}

/** The harness names a model's address with the version of its API (`…/v1`, `…/v1beta`); some agents add that themselves. */
export function withoutVersion(baseUrl: string): string {
  return baseUrl.replace(/\/v1(beta)?\/?$/, '');
}
