"""TRL: GRPO with the score of Old Town's puzzles as its reward.

    python examples/trl_grpo.py --steps 5

The model is a toy of random weights, made on the spot: it proves the wiring and learns nothing. With `--model NAME` a
model of the Hugging Face hub is trained.
"""

from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer
from common import Curve, CurveFile, Device, Seed, seed_torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, TrainerCallback
from trl import GRPOConfig, GRPOTrainer

from oddville_env.oldtown.solo.dataset import entries, score

GENERATIONS = 4  # answers to a puzzle that are compared


def reward(completions: list[str], entry: list[dict[str, Any]], **_: Any) -> list[float]:
    """Return the share of lots that are right, for each completion."""
    return [score(completion, each) for completion, each in zip(completions, entry, strict=True)]


def toy(rows: list[dict[str, Any]]) -> tuple[LlamaForCausalLM, PreTrainedTokenizerFast]:
    """Return a tiny model of random weights, and a tokenizer of the questions' words and the answers' lines."""
    words = {word for row in rows for word in row["question"].split()}
    lines = {line for row in rows for line in row["answer"].splitlines()}
    vocabulary = {word: number for number, word in enumerate(["<pad>", "<end>", "<unknown>", *sorted(words | lines)])}
    plain = Tokenizer(models.WordLevel(vocabulary, unk_token="<unknown>"))
    plain.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=plain, pad_token="<pad>", eos_token="<end>", unk_token="<unknown>"
    )
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
    tokens = {"vocab_size": len(vocabulary), "pad_token_id": 0, "eos_token_id": 1}
    return LlamaForCausalLM(LlamaConfig(**sizes, **tokens, max_position_embeddings=4096)), tokenizer


class Progress(TrainerCallback):
    """Adds every step to the learning curve."""

    def __init__(self, path: Path | None) -> None:
        self.curve = Curve(path)

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **_: Any) -> None:
        """Add the mean reward and the gradient's norm."""
        if logs and "reward" in logs:
            answers = state.global_step * GENERATIONS
            self.curve.add(answers, mean_reward=float(logs["reward"]), gradient=float(logs["grad_norm"]))


def main(
    steps: Annotated[int, typer.Option(help="Steps of the optimiser.")] = 2,
    puzzles: Annotated[int, typer.Option(help="Puzzles of the data set.")] = 8,
    length: Annotated[int, typer.Option(help="Most tokens of an answer.")] = 64,
    model: Annotated[str, typer.Option(help="Model of the hub; the toy without it.")] = "",
    seed: Seed = 0,
    device: Device = "cpu",
    curve: CurveFile = None,
    out: Annotated[str, typer.Option(help="Folder of the run.")] = "runs/grpo",
) -> None:
    """Train on easy puzzles."""
    seed_torch(seed)
    rows = list(islice(entries("easy", seed), puzzles))
    data = Dataset.from_list([{"prompt": row["question"], "entry": row} for row in rows])
    made, tokenizer = (model, None) if model else toy(rows)
    config = GRPOConfig(
        output_dir=out,
        max_steps=steps,
        per_device_train_batch_size=GENERATIONS,
        num_generations=GENERATIONS,
        max_completion_length=length,
        logging_steps=1,
        report_to=[],
        use_cpu=device == "cpu",
        bf16=False,
        save_strategy="no",
        disable_tqdm=True,
        seed=seed,
    )
    trainer = GRPOTrainer(made, reward, config, data, processing_class=tokenizer, callbacks=[Progress(curve)])
    trainer.train()


if __name__ == "__main__":
    typer.run(main)
