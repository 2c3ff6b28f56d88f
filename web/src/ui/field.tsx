/** Form controls with their label, hint and error. All native, all labelled. */
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';

export interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Seen only by screen readers: for filters whose place says what they are. */
  quietLabel?: boolean;
}

interface Wired {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

/** For a control of one's own: `<Field label="…">{(wired) => <input {...wired} />}</Field>`. */
export function Field({
  label,
  hint,
  error,
  quietLabel,
  children,
}: FieldProps & { children: (wired: Wired) => ReactNode }) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id} className={quietLabel ? 'visually-hidden' : 'label'}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  );
}

type Control<T> = FieldProps & Omit<T, 'id' | 'className' | 'onChange' | 'value'>;

export function TextField({
  label,
  hint,
  error,
  quietLabel,
  onChange,
  ...rest
}: Control<InputHTMLAttributes<HTMLInputElement>> & { value: string; onChange: (value: string) => void }) {
  return (
    <Field {...{ label, hint, error, quietLabel: quietLabel ?? false }}>
      {(wired) => <input type="text" {...rest} {...wired} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  error,
  onChange,
  ...rest
}: Control<TextareaHTMLAttributes<HTMLTextAreaElement>> & { value: string; onChange: (value: string) => void }) {
  return (
    <Field {...{ label, hint, error }}>
      {(wired) => <textarea rows={4} {...rest} {...wired} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}

export interface Option<V extends string> {
  value: V;
  name: string;
}

export function SelectField<V extends string>({
  label,
  hint,
  error,
  quietLabel,
  options,
  value,
  onChange,
  ...rest
}: Control<SelectHTMLAttributes<HTMLSelectElement>> & {
  options: readonly Option<V>[];
  value: V;
  onChange: (value: V) => void;
}) {
  return (
    <Field {...{ label, hint, error, quietLabel: quietLabel ?? false }}>
      {(wired) => (
        <select {...rest} {...wired} value={value} onChange={(event) => onChange(event.target.value as V)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckField({
  label,
  hint,
  checked,
  onChange,
}: {
  label: string;
  hint?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="check">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  );
}
