"""Writes small models of Hugging Face beside it: `python hugging_face.py` with torch, transformers and safetensors.

Each file has the parameters as `save_pretrained` names them, and the logits or hidden states of two sentences under
`io.y`; the sentences are those of `tests/torch_weights/hugging_face.rs`.
"""

from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import BertConfig, BertModel, GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

HERE = Path(__file__).parent
WORDS = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 8]])


def write(name, model, tied=()):
    torch.manual_seed(0)
    for p in model.parameters():
        torch.nn.init.normal_(p, std=0.3)
    model.eval()
    with torch.no_grad():
        out = model(WORDS)
    y = out.logits if hasattr(out, "logits") else out.last_hidden_state
    tensors = {k: v.contiguous() for k, v in model.state_dict().items() if k not in tied}
    save_file(tensors | {"io.y": y}, HERE / name, {"format": "pt"})


write(
    "gpt2.safetensors",
    GPT2LMHeadModel(GPT2Config(vocab_size=11, n_positions=6, n_embd=8, n_layer=2, n_head=2)),
    tied=["lm_head.weight"],
)
write(
    "bert.safetensors",
    BertModel(
        BertConfig(
            vocab_size=11,
            hidden_size=8,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=12,
            max_position_embeddings=6,
        ),
        add_pooling_layer=False,
    ),
)
write(
    "llama.safetensors",
    LlamaForCausalLM(
        LlamaConfig(
            vocab_size=11,
            hidden_size=8,
            intermediate_size=12,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=16,
            tie_word_embeddings=False,
        )
    ),
)
