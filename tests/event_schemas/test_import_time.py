"""Starting the product stays quick although the vocabulary is large."""

from event_schemas.events import event_models


def test_no_validator_is_built_before_it_is_needed() -> None:
    assert all(model.model_config["defer_build"] for model in event_models())
